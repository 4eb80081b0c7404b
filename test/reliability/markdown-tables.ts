/** Returns 60 KB of Markdown tables. Each short row becomes as wide as the head: two million cells. */
export function markdownTables(): string {
  const columns = 256
  const table = `${'|a'.repeat(columns)}\n${'|-'.repeat(columns)}\n${'|x\n'.repeat(columns - 1)}\n`
  return table.repeat(Math.floor(60_000 / table.length))
}
