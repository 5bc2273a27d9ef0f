// Replicache as the browser gets it: without the checks of its own development, which our storage does not serve. Import
// it before Replicache.
process.env['NODE_ENV'] = 'production';
