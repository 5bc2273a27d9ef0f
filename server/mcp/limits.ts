// Numbers of the MCP server.

export const MCP = {
  /** Characters of one text in one result; the rest is read by position. */
  textCharacters: 20_000,
  listDefault: 10,
  listMax: 50,
  /** How long the tool `ask` waits for an answer. */
  answerWaitMs: 25_000,
  /** Array elements and object members in the arguments of one call of a tool. */
  argumentsMax: 1_000,
} as const;
