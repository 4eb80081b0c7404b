/** The steps of a tutorial, in the order in which a reader follows them. */

export type Step =
  /** Commands that a reader types, with what the page says about their output. */
  | { readonly kind: 'shell'; readonly commands: readonly Command[] }
  /** A new file, or `recipe.yaml` as a whole. */
  | { readonly kind: 'write'; readonly file: string; readonly content: string }
  /** Lines that a reader adds to `recipe.yaml`. */
  | { readonly kind: 'merge'; readonly content: string }
  /** The output of the commands of the previous step. */
  | { readonly kind: 'output'; readonly content: string }
  /** Ctrl+C in the terminal of `larder dev`. */
  | { readonly kind: 'stop' }

export interface Command {
  readonly text: string
  /** What a comment beside or below the command says about its output. */
  readonly expected: string
}

const BLOCK = /^```(\w*)\n([\s\S]*?)^```$/gm

export function stepsOf(page: string): Step[] {
  const steps: Step[] = []
  let end = 0
  for (const match of page.matchAll(BLOCK)) {
    const [whole, language = '', content = ''] = match
    const prose = page.slice(end, match.index)
    end = match.index + whole.length
    if (/^Stop `larder dev` with Ctrl\+C/m.test(prose)) steps.push({ kind: 'stop' })
    const [, file] = /`([\w./-]+\.\w+)`:\s*$/.exec(prose) ?? []
    if (language === 'sh') steps.push({ kind: 'shell', commands: commandsOf(content) })
    else if (language === '') steps.push({ kind: 'output', content })
    else if (file) steps.push({ kind: 'write', file, content })
    else steps.push({ kind: 'merge', content })
  }
  return steps
}

/** A command ends before the next line that is not indented. */
function commandsOf(block: string): Command[] {
  const commands: Command[] = []
  for (const line of block.split('\n').filter(Boolean)) {
    const last = commands.at(-1)
    if (last && line.startsWith('# '))
      commands.splice(-1, 1, { ...last, expected: `${last.expected}\n${line.slice(2)}` })
    else if (last && /^(\s|\}$)/.test(line)) commands.splice(-1, 1, { ...last, text: `${last.text}\n${line}` })
    else {
      const [text = '', expected = ''] = line.split(/\s+# (?=[^'"]|"\w+":)/)
      commands.push({ text, expected })
    }
  }
  return commands
}

/** Reports what the output lacks: a status with its code, and quoted fields. */
export function missingIn(output: string, expected: string): string[] {
  const [, status, code] = /^(\d{3}) (\w+)/m.exec(expected) ?? []
  const wanted = [
    ...(status ? [`"status":${status}`, `"code":"${code}"`] : []),
    ...Array.from(expected.matchAll(/"\w+":(?:"[^"]*"|\[[^\]]*\]|true|false|\d+)/g), ([field]) => field),
    ...(/^[A-Z][\w ]+$|^[a-z]+$/.test(expected) ? [expected] : []),
  ]
  return [
    ...wanted.filter(text => !output.includes(text)),
    ...(status === undefined && /"status":[45]\d\d\b/.test(output) ? ['a status below 400'] : []),
  ]
}
