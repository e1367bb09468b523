const EXTENSION = ".json";
/** Characters that some system allows in no file name, or that mean something else there; % begins an encoded one. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: no system agrees on them in file names.
const UNSAFE = /[\u0000-\u001f\u007f/\\:*?"<>|%]|^[. ]|[. ]$/;

/** The files of a folder by the member they hold: `größe.json` and `gr%C3%B6%C3%9Fe.json` both hold `größe`. */
export class MemberFiles {
  readonly #files = new Map<string, string>();

  /** The data files among these names, sorted. A member stays in its file as long as that is there. */
  among(names: readonly string[]): string[] {
    const files = names.filter(isDataFile).sort();
    const present = new Set(files);
    for (const file of files) {
      const member = memberOfFile(file);
      const known = this.#files.get(member);
      if (known === undefined || !present.has(known)) this.#files.set(member, file);
    }
    return files;
  }

  /** The file of a member: the one it came from, otherwise a new one with a name that is as readable as possible. */
  of(member: string): string {
    return this.#files.get(member) ?? newFileOf(member);
  }
}

/** The member that a file holds. Some systems store names decomposed (o and two dots for ö), which no URL has. */
export function memberOfFile(file: string): string {
  const stem = file.slice(0, -EXTENSION.length).normalize("NFC");
  try {
    return decodeURIComponent(stem);
  } catch {
    return stem;
  }
}

function newFileOf(member: string): string {
  const isReadable = !UNSAFE.test(member) && member.normalize("NFC") === member;
  // A file whose name begins with a dot is none of ours.
  return `${isReadable ? member : encodeURIComponent(member).replace(/^\./, "%2E")}${EXTENSION}`;
}

/** A name with a replacement character was no text, so that the file cannot be opened by it. */
function isDataFile(name: string): boolean {
  return name.endsWith(EXTENSION) && !name.startsWith(".") && !name.includes("\uFFFD");
}
