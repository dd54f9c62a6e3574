/** Is told of each part of a table's rows that was read or loaded. */
export type Progress = (table: string, bytes: number) => void;
