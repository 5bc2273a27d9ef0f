-- The job that works on a page: when its server was killed, its next try need not wait for the end of the lease.
alter table "memory_page" add column "leaseJob" text;
