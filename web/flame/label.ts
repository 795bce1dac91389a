// What a frame is called where it is narrow: the whole name, then without
// arguments, then class and member, then the member, then the beginning of it.

/** The forms of a name, each shorter than the one before. */
export function forms(name: string): string[] {
  const bare = withoutArguments(name);
  const parts = scopes(withoutReturnType(bare));
  const list = [name, bare];
  if (parts.length > 2) list.push(parts.slice(-2).join("::"));
  const member = parts.at(-1);
  if (member) {
    list.push(member);
    list.push(withoutTemplates(member));
  }
  return list.filter((form, i) => form !== "" && (i === 0 || form.length < (list[i - 1] ?? "").length));
}

/** The longest form of so many letters at most, or a beginning with an ellipsis; "" below two letters. */
export function fit(list: readonly string[], letters: number): string {
  for (const form of list) {
    if (form.length <= letters) return form;
  }
  const shortest = list.at(-1) ?? "";
  return letters < 3 ? "" : `${shortest.slice(0, letters - 1)}…`;
}

/** A demangled name up to the list of its arguments. */
function withoutArguments(name: string): string {
  let depth = 0;
  for (let i = 0; i < name.length; i++) {
    const c = name[i];
    if (name.startsWith("operator", i) && name[i + 8] !== undefined && /[^\w]/.test(name[i + 8] ?? "")) {
      i = skipOperator(name, i + 8) - 1; // its signs are no brackets
      continue;
    }
    if (c === "<") depth++;
    else if (c === ">" && name[i - 1] !== "-") depth--;
    else if (c === "(" && depth <= 0) {
      if (name.startsWith("(anonymous namespace)", i)) {
        i += "(anonymous namespace)".length - 1;
        continue;
      }
      return i > 0 ? name.slice(0, i) : name;
    }
  }
  return name;
}

/** A name without the type that demangled templates begin with. */
function withoutReturnType(bare: string): string {
  const end = bare.indexOf("operator");
  let depth = 0;
  let from = 0;
  for (let i = 0; i < (end < 0 ? bare.length : end); i++) {
    const c = bare[i];
    if (c === "<" || c === "(") depth++;
    else if (c === ">" || c === ")") depth--;
    else if (c === " " && depth <= 0) from = i + 1;
  }
  return bare.slice(from);
}

/** The place after an operator's signs: "operator()(int)" ends at "(int)". */
function skipOperator(name: string, at: number): number {
  for (const sign of ["()", "<<=", ">>=", "<=>", "->*", "<<", ">>", "<=", ">=", "->", "<", ">"]) {
    if (name.startsWith(sign, at)) return at + sign.length;
  }
  return at + 1;
}

/** The parts between the :: that stand in no brackets. */
function scopes(name: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let i = 0; i < name.length; i++) {
    const c = name[i];
    if (c === "<" || c === "(") depth++;
    else if (c === ">" || c === ")") depth--;
    else if (depth <= 0 && c === ":" && name[i + 1] === ":") {
      parts.push(name.slice(from, i));
      from = i + 2;
      i++;
    }
  }
  parts.push(name.slice(from));
  return parts;
}

function withoutTemplates(member: string): string {
  const at = member.indexOf("<");
  return at > 0 && !member.startsWith("operator") ? member.slice(0, at) : member;
}
