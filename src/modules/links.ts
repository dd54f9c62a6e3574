/** Where a thread and a message stand in the web application (`app_url`), and where an attachment is to be had. */
export function threadUrl(publicUrl: string, threadId: string): string {
  return `${publicUrl}/threads/${threadId}`;
}

export function messageUrl(publicUrl: string, message: { threadId: string; id: string }): string {
  return `${threadUrl(publicUrl, message.threadId)}/messages/${message.id}`;
}

export function attachmentUrl(publicUrl: string, id: string): string {
  return `${publicUrl}/attachments/${id}`;
}
