// Hash of the files that a build reads, to skip a build when nothing has changed.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** Hashes the contents of files, and of the files in folders. @param paths below `root` */
export function hashOf(root, paths) {
  const digest = createHash('sha256').update(process.version)
  for (const file of paths.flatMap(path => filesOf(join(root, path))).sort())
    digest.update(relative(root, file)).update('\0').update(readFileSync(file)).update('\0')
  return digest.digest('hex')
}

function filesOf(path) {
  try {
    return readdirSync(path, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
  } catch (error) {
    if (error.code === 'ENOTDIR') return [path]
    if (error.code === 'ENOENT') return []
    throw error
  }
}
