import { randomBytes } from 'node:crypto';
import { crc32, deflateRawSync } from 'node:zlib';

/* Small files of every type that tests send. */

const base64 = (text: string) => Buffer.from(text, 'base64');

/** A picture of one dot. */
export const png = base64(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
);

/** The beginning of a JPEG, with `more` bytes of what no program reads. */
export const jpeg = (more = 64) =>
  Buffer.concat([base64('/9j/4AAQSkZJRgABAQEAYABgAAD/2wBDAAgGBgcGBQg='), randomBytes(more), base64('/9k=')]);

export const webp = Buffer.concat([
  Buffer.from('RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0', 'latin1'),
  base64('LwAAABAHEREGgIiI/gcA'),
]);

/** The first page of a voice note, as phones record it: Opus in Ogg. */
export const voiceNote = (more = 200) => {
  const head = Buffer.from('OpusHead\x01\x01\x38\x01\x80\xbb\0\0\0\0\0', 'latin1');
  const page = Buffer.alloc(28);
  page.write('OggS', 0, 'latin1');
  page.writeUInt8(2, 5);
  page.writeUInt8(1, 26);
  page.writeUInt8(head.length, 27);
  return Buffer.concat([page, head, randomBytes(more)]);
};

export const mp4 = Buffer.concat([
  Buffer.from([0, 0, 0, 24]),
  Buffer.from('ftypisom\0\0\x02\0isomiso2', 'latin1'),
  Buffer.from([0, 0, 0, 8]),
  Buffer.from('free', 'latin1'),
]);

export const pdf = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n');

export const html = Buffer.from('<!doctype html><html><body><script>alert(1)</script></body></html>');
export const svg = Buffer.from(
  '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
);
/** A program of Windows. */
export const program = Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200)]);

/** A ZIP file with these files, compressed if wanted. */
export function zip(files: Readonly<Record<string, string | Buffer>>, compressed = false): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const [nameBytes, bytes] = [Buffer.from(name), Buffer.from(text)];
    const content = compressed ? deflateRawSync(bytes) : bytes;
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(compressed ? 8 : 0, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(content.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(nameBytes.length, 22);
    parts.push(Buffer.from('PK\x03\x04', 'latin1'), common, nameBytes, content);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\0', 'latin1'), common, rest, nameBytes);
    offset += 30 + nameBytes.length + content.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(Object.keys(files).length, 4);
  end.writeUInt16LE(Object.keys(files).length, 6);
  end.writeUInt32LE(entries.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, entries, Buffer.from('PK\x05\x06', 'latin1'), end]);
}

const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
export const docx = zip({
  '[Content_Types].xml': `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="${WORD}"/></Types>`,
  'word/document.xml': '<document/>',
});
