/** What differs between the recipe file and the recipe that runs. */
import { type Api, fill, Section, TextDiff, useScreenTexts } from '../../public.ts'
import { recipeTexts } from './recipe-texts.ts'

export const recipeText = (recipe: unknown): string => JSON.stringify(recipe, null, 2)

interface Props {
  readonly report: Api.RecipeFile
  /** As text. */
  readonly running: string
}

export function RecipeFileView({ report: { status, file, recipe, problems }, running }: Props) {
  const t = useScreenTexts(recipeTexts)
  const inFile = recipeText(recipe)
  return (
    <>
      {status === 'changed' && (
        <Section className="recipe-file" title={t.changedTitle}>
          <p className="lead">{fill(t.changedText, { file })}</p>
          {inFile === running ? <p>{t.secretsChanged}</p> : <TextDiff before={running} after={inFile} />}
        </Section>
      )}
      {status === 'invalid' && (
        <Section className="recipe-file" title={t.invalidTitle}>
          <p className="notice danger">{fill(t.invalidText, { file })}</p>
          <Problems problems={problems} />
        </Section>
      )}
      {status !== 'invalid' && problems.length > 0 && (
        <Section className="recipe-file" title={t.warnings}>
          <Problems problems={problems} />
        </Section>
      )}
    </>
  )
}

function Problems({ problems }: Pick<Api.RecipeFile, 'problems'>) {
  const t = useScreenTexts(recipeTexts)
  return (
    <ul className="recipe-problems">
      {problems.map(({ severity, code, file, line, column, path, message, hint }) => (
        <li className="panel" key={`${file}:${line}:${column} ${message}`}>
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
