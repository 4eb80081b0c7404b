/** The secret of an installation without LARDER_SECRET. */
import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defineOperatorErrors } from '../base/index.ts'
import type { Settings } from '../contract/index.ts'

const MIN_LENGTH = 32
const MAX_READS = 50
const READ_PAUSE_MS = 20

const operatorErrors = defineOperatorErrors({
  secret_file_invalid: [
    '{file} does not contain a secret of at least 32 characters.',
    'Restore it from a backup, or delete it and run `larder secret rotate`.',
  ],
})

/** Returns the accepted secrets, newest first. Creates `<dataDir>/secret` (32 bytes, mode 0600) if there is none. */
export async function loadSecrets({ secrets, dataDir }: Settings): Promise<readonly string[]> {
  return secrets.length > 0 ? secrets : readSecretFile(dataDir)
}

/** Secrets in the file are separated by commas. */
async function readSecretFile(dataDir: string): Promise<readonly string[]> {
  await mkdir(dataDir, { recursive: true })
  const file = join(dataDir, 'secret')
  try {
    // Exclusive: of several processes that start together, one creates the file and the others read it.
    const handle = await open(file, 'wx', 0o600)
    await handle.writeFile(randomBytes(32).toString('base64url'))
    await handle.sync()
    await handle.close()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  for (let reads = 0; ; reads++) {
    const secrets = (await readFile(file, 'utf8')).trim().split(',')
    if (secrets.every(secret => secret.length >= MIN_LENGTH)) return secrets
    if (reads === MAX_READS) throw operatorErrors.secret_file_invalid({ file })
    await new Promise(resolve => setTimeout(resolve, READ_PAUSE_MS))
  }
}
