/**
 * Awaits work that runs concurrently, for example statements that are sent together. Then throws the first error in the
 * order of the arguments, whichever came first.
 */
export async function inOrder<Work extends readonly unknown[]>(
  ...work: Work
): Promise<{ -readonly [Key in keyof Work]: Awaited<Work[Key]> }> {
  const settled = await Promise.allSettled(work)
  const failed = settled.find(each => each.status === 'rejected')
  if (failed) throw failed.reason
  return Promise.all(work) as Promise<{ -readonly [Key in keyof Work]: Awaited<Work[Key]> }>
}
