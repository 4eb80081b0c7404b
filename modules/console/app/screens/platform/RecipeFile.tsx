/** What differs between the recipe file and the recipe that runs. */
import { TextDiff } from '../../components/TextDiff.tsx'
import type { RecipeFile } from '../../data/api-types.ts'
import { fill, useScreenTexts } from '../../locales/index.ts'
import { recipeTexts } from './recipe-texts.ts'

export const recipeText = (recipe: unknown): string => JSON.stringify(recipe, null, 2)

interface Props {
  readonly report: RecipeFile
  /** As text. */
  readonly running: string
}

export function RecipeFileView({ report: { status, file, recipe, problems }, running }: Props) {
  const t = useScreenTexts(recipeTexts)
  const inFile = recipeText(recipe)
  return (
    <>
      {status === 'changed' && (
        <section className="recipe-file" aria-labelledby="recipe-changes">
          <h2 id="recipe-changes">{t.changedTitle}</h2>
          <p className="lead">{fill(t.changedText, { file })}</p>
          {inFile === running ? <p>{t.secretsChanged}</p> : <TextDiff before={running} after={inFile} />}
        </section>
      )}
      {status === 'invalid' && (
        <section className="recipe-file" aria-labelledby="recipe-errors">
          <h2 id="recipe-errors">{t.invalidTitle}</h2>
          <p className="notice danger">{fill(t.invalidText, { file })}</p>
          <Problems problems={problems} />
        </section>
      )}
      {status !== 'invalid' && problems.length > 0 && (
        <section className="recipe-file" aria-labelledby="recipe-warnings">
          <h2 id="recipe-warnings">{t.warnings}</h2>
          <Problems problems={problems} />
        </section>
      )}
    </>
  )
}

function Problems({ problems }: Pick<RecipeFile, 'problems'>) {
  const t = useScreenTexts(recipeTexts)
  return (
    <ul className="recipe-problems">
      {problems.map(({ severity, code, file, line, column, path, message, hint }) => (
        <li key={`${file}:${line}:${column} ${message}`}>
          <p>
            <strong>{message}</strong>
          </p>
          {hint !== null && <p>{hint}</p>}
          <p className="muted">
            {fill(t.place, { file, line, column })}
            {path !== '' && (
              <>
                {' '}
                · <code>{path}</code>
              </>
            )}{' '}
            · <code className={severity}>{code}</code>
          </p>
        </li>
      ))}
    </ul>
  )
}
