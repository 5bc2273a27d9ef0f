// The limits of a conversation that a visitor began with a question; without a schema, because pages load them.

/** Messages of one conversation, answers included. */
export const CONVERSATION_MESSAGES_MAX = 20;
/** Hours for which the key of a conversation is valid. */
export const CONVERSATION_HOURS = 24;
