/** Runs work in a transaction, and rolls back what it writes. Throws what the work throws. */
export async function rollBack<Given>(
  begin: (work: (given: Given) => Promise<never>) => Promise<never>,
  work: (given: Given) => Promise<void>,
): Promise<void> {
  const end = new Error('the work is done')
  try {
    await begin(async given => {
      await work(given)
      throw end
    })
  } catch (error) {
    if (error !== end) throw error
  }
}
