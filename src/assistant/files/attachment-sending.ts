/**
 * A turn to send attachments to a provider. All running responses share a budget of bytes in transit. A response that
 * finds too little left waits, with its generation timeout paused, and returns the bytes once they are sent. Users take
 * turns, so a hundred responses of one user do not hold up anybody else's.
 */

import type { TakeEvent } from '../../modules/responses/generation/processor.js';
import type { FairSemaphore, Release } from '../../platform/fairness/fair-semaphore.js';
import type { Principal } from '../../platform/fairness/principal.js';
import { type AttachedFile, type AttachedFiles, type PromptFile, textOfDocument } from './attached-files.js';
import type { OutgoingFiles } from './outgoing-files.js';

export interface SendingOptions {
  attached: ReadonlyMap<string, AttachedFile>;
  outgoing: OutgoingFiles;
  memory: FairSemaphore;
  principal: () => Promise<Principal>;
  signal: AbortSignal;
}

export class AttachmentSending {
  readonly #options: SendingOptions;
  readonly #release: Release;
  readonly #marks: string[] = [];
  #unsent = 0;

  /** Waits for a turn, and tells `take` of it. Throws the reason of `signal` when it is aborted. */
  static async begin(options: SendingOptions, take: TakeEvent): Promise<AttachmentSending> {
    const { attached, memory, principal: findPrincipal, signal } = options;
    const bytes = [...attached.values()].reduce((sum, file) => sum + ('read' in file ? file.size : 0), 0);
    if (bytes === 0) return new AttachmentSending(options, () => undefined);
    const principal = await findPrincipal();
    let release = memory.tryAcquire(principal, bytes);
    if (!release) {
      take({ type: 'clock', isRunning: false });
      release = await memory.acquire(principal, { amount: bytes, signal });
      take({ type: 'clock', isRunning: true });
    }
    return new AttachmentSending(options, release);
  }

  /** The files of the prompt. */
  readonly files: AttachedFiles;

  private constructor(options: SendingOptions, release: Release) {
    this.#options = options;
    this.#release = release;
    this.files = new Map([...options.attached].map(([id, file]) => [id, this.#toPromptFile(file)]));
  }

  /** Called when the request was answered or has failed. */
  end(): void {
    for (const mark of this.#marks) this.#options.outgoing.remove(mark);
    this.#release();
  }

  #toPromptFile(file: AttachedFile): PromptFile {
    const { name, mediaType, size } = file;
    if ('beginning' in file) return { name, mediaType, text: textOfDocument(file.beginning) };
    this.#unsent += 1;
    const sent = () => {
      this.#unsent -= 1;
      if (this.#unsent === 0) this.#release();
    };
    const mark = this.#options.outgoing.add({ size, read: file.read, sent });
    this.#marks.push(mark);
    return { name, mediaType, data: mark };
  }
}
