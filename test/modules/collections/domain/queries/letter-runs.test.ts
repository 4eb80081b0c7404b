import test from 'ava'
import { createRunFinder } from '../../../../../modules/collections/domain/queries/letter-runs.ts'

const lengthsIn = (text: string, runs: readonly string[]): number[] => {
  const finder = createRunFinder(runs.map(run => [...run]))
  return [...text].map(letter => finder.lengthAfter(letter))
}

test('finds the longest run that ends at each letter, as a comparison at each place does', t => {
  const alphabet = ['a', 'b']
  const texts = (length: number): string[] =>
    length === 0 ? [''] : texts(length - 1).flatMap(text => alphabet.map(letter => text + letter))
  const runs = [...texts(2), ...texts(3)]
  for (let first = 0; first < runs.length; first++)
    for (let second = first; second < runs.length; second++) {
      const chosen = ['ba', runs[first] as string, runs[second] as string]
      for (const text of texts(6)) {
        const expected = [...text].map((_, at) =>
          Math.max(0, ...chosen.filter(run => text.slice(0, at + 1).endsWith(run)).map(run => run.length)),
        )
        t.deepEqual(lengthsIn(text, chosen), expected, `${chosen} in ${text}`)
      }
    }
})

test('a run does not continue over a restart', t => {
  const finder = createRunFinder([['a', 'b']])
  finder.lengthAfter('a')
  finder.restart()
  t.is(finder.lengthAfter('b'), 0)
})
