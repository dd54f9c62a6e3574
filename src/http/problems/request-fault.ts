/** What is wrong with one parameter, with one value of the body, or, where the pointer is empty, with the whole body. */
export type RequestFault = { parameter: string; message: string } | { pointer: string; message: string };

/** All faults in one line, for whoever reads the problem. */
export function detailOf(faults: readonly RequestFault[]): string {
  return faults.map(sentenceOf).join('; ');
}

function sentenceOf(fault: RequestFault): string {
  const place = 'parameter' in fault ? fault.parameter : fault.pointer;
  return place === '' ? `The body ${fault.message}` : `${place}: ${fault.message}`;
}
