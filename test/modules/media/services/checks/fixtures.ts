import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TYPES } from '../../../../../modules/media/domain/file-types.ts'
import type { Candidate, Check } from '../../../../../modules/media/services/checks/check.ts'

/** Runs a check on a file with these bytes, and returns the code of its rejection, if any. */
export async function rejectionOf(
  check: Check,
  bytes: Buffer,
  mimeType = 'application/zip',
  announcement: Partial<Candidate['announced']> = {},
): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'larder-checks-'))
  try {
    const path = join(folder, 'file')
    await writeFile(path, bytes)
    const announced = { mimeType, size: bytes.length, sha256: null, ...announcement }
    const type = TYPES[mimeType] ?? { kind: 'binary' as const, extensions: [] }
    const rejection = await check({ path, size: bytes.length, announced, type }, new AbortController().signal)
    return rejection?.code
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
