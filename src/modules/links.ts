/** Where a thread and a message stand in the web application (`app_url`). */
export function threadUrl(publicUrl: string, threadId: string): string {
  return `${publicUrl}/threads/${threadId}`;
}

export function messageUrl(publicUrl: string, message: { threadId: string; id: string }): string {
  return `${threadUrl(publicUrl, message.threadId)}/messages/${message.id}`;
}
