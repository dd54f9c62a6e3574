/** What colours code, without any language: those are registered as they come. */
import { createLowlight } from 'lowlight';

export const lowlight = createLowlight();
