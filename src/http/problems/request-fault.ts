/** An invalid parameter or value of the body; an empty pointer refers to the whole body. */
export type RequestFault = { parameter: string; message: string } | { pointer: string; message: string };

/** All faults in one line, for people. */
export function detailOf(faults: readonly RequestFault[]): string {
  return faults.map(sentenceOf).join('; ');
}

function sentenceOf(fault: RequestFault): string {
  const place = 'parameter' in fault ? fault.parameter : fault.pointer;
  return place === '' ? `The body ${fault.message}` : `${place}: ${fault.message}`;
}
