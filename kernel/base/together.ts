/**
 * Awaits work that runs concurrently, for example statements that share a round trip: they are sent in the order of the
 * properties. Waits for all of it, then throws the first error in that order, whichever came first.
 */
export async function together<Work extends Readonly<Record<string, unknown>>>(
  work: Work,
): Promise<{ -readonly [Name in keyof Work]: Awaited<Work[Name]> }> {
  const results: Record<string, unknown> = {}
  const settled = await Promise.allSettled(Object.values(work))
  for (const [index, name] of Object.keys(work).entries()) {
    const each = settled[index]
    if (each?.status === 'rejected') throw each.reason
    results[name] = each?.value
  }
  return results as { -readonly [Name in keyof Work]: Awaited<Work[Name]> }
}
