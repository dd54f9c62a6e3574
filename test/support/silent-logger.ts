import { pino } from 'pino';

/** A logger for what a test does not read. */
export const logger = pino({ level: 'silent' });
