/** Imports nothing, so that it also runs on a version of Node.js that can't run Larder. */

/** Returns a sentence for a version that is too old. @param version such as `20.19.0` */
export function oldNode(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return undefined
  return `Larder needs Node 20.19 or later, and this is Node ${version}.`
}
