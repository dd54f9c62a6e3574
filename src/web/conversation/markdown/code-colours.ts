/** The highlighter without any language. Languages are registered when they are loaded. */
import { createLowlight } from 'lowlight';

export const lowlight = createLowlight();
