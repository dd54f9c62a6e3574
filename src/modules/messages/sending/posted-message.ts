/** The stored message, whose response is queued. */
export interface PostedMessage {
  threadId: string;
  messageId: string;
}
