/** The ids of a message that was sent. Its response is queued. */
export interface PostedMessage {
  threadId: string;
  messageId: string;
}
