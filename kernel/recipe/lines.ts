/** Maps an offset to line and column, from 1. The parser's own counter is wrong in badly broken files. */
export function createLines(text: string): (offset: number) => { line: number; column: number } {
  const starts = [0]
  for (let next = text.indexOf('\n'); next >= 0; next = text.indexOf('\n', next + 1)) starts.push(next + 1)
  return offset => {
    const place = Math.max(0, Math.min(offset, text.length))
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((starts[middle] as number) <= place) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: place - (starts[low] as number) + 1 }
  }
}
