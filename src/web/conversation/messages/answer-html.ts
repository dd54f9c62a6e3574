/** What an answer is copied as beside its Markdown, for documents and e-mails that it is pasted into. */
export function answerHtml(messageId: string): string {
  const answer = document.createElement('div');
  for (const text of document.querySelectorAll(`#${messageId} .rich`))
    answer.append(...text.cloneNode(true).childNodes);
  for (const tools of answer.querySelectorAll('.code-tools')) tools.remove();
  return answer.innerHTML;
}
