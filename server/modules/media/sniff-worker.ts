import { isUtf8 } from 'node:buffer';
import { open } from 'node:fs/promises';
import { fileTypeFromFile } from 'file-type';
import { serveTask } from '../../kit/worker-task.ts';
import type { Sniffed } from './rules.ts';

/** Bytes of a file that decide whether it is a text. */
const TEXT_BYTES = 64 * 1024;

serveTask<string, Sniffed>(async (path) => {
  const found = await fileTypeFromFile(path);
  const type = found?.mime.split(';', 1).join('').trim();
  return { type, isText: type === undefined && (await looksLikeText(path)) };
});

async function looksLikeText(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(TEXT_BYTES), 0, TEXT_BYTES, 0);
    const read = buffer.subarray(0, bytesRead);
    return !read.includes(0) && isUtf8(bytesRead < TEXT_BYTES ? read : wholeCharacters(read));
  } finally {
    await file.close();
  }
}

/** Returns the bytes without an incomplete character at the end. */
function wholeCharacters(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && bytes.length - end < 3 && (bytes[end - 1]! & 0b1100_0000) === 0b1000_0000) end--;
  return bytes.subarray(0, end - 1);
}
