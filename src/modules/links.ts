/** URLs of threads and messages in the web application (`app_url`), and of attachments. */
export function threadUrl(publicUrl: string, threadId: string): string {
  return `${publicUrl}/threads/${threadId}`;
}

export function messageUrl(publicUrl: string, message: { threadId: string; id: string }): string {
  return `${threadUrl(publicUrl, message.threadId)}/messages/${message.id}`;
}

export function attachmentUrl(publicUrl: string, id: string): string {
  return `${publicUrl}/attachments/${id}`;
}
