import { diffLines, withContext } from '../data/diff.ts'
import { useTexts } from '../locales/index.ts'

interface Props {
  readonly before: string
  readonly after: string
}

/** Lines that were removed and added, with a few lines around them. */
export function TextDiff({ before, after }: Props) {
  const t = useTexts()
  const labels = { added: t('addedLine'), removed: t('removedLine') }
  return (
    <div className="diff">
      {withContext(diffLines(before, after)).map((part, index) =>
        part.kind === 'gap' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity of their own
          <p key={index} className="diff-gap">
            {t('unchangedLines', { count: part.count })}
          </p>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity of their own
          <p key={index} className={`diff-line ${part.kind}`}>
            {part.kind !== 'same' && <span className="visually-hidden">{labels[part.kind]}: </span>}
            {part.text || ' '}
          </p>
        ),
      )}
    </div>
  )
}
