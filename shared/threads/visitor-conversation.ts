// The limits of a conversation that a visitor began with a question; without a schema, because pages load them.

/** Messages of one conversation, answers included. */
export const CONVERSATION_MESSAGES_MAX = 20;
/** After this time the key of a conversation opens nothing any more. */
export const CONVERSATION_HOURS = 24;
