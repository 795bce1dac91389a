// The first sentences of a paragraph, as a question mark shows them.

/** As many whole sentences of a text as fit, at least one, which may be cut. */
export function phrase(text: string, longest = 320): string {
  const plain = text.replace(/\s+/g, " ").trim();
  if (plain.length <= longest) return plain;
  const end = plain.slice(0, longest).search(/[.!?:](?= [^.!?]*$)/);
  if (end > 40) return plain.slice(0, end).concat(".");
  return `${plain.slice(0, plain.lastIndexOf(" ", longest))} …`;
}
