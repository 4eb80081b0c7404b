/** The running recipe, and its differences from the file on disk. */
import {
  areaCrumbs,
  Button,
  CodeBlock,
  ErrorState,
  fill,
  formatDate,
  Loading,
  Page,
  Section,
  saveFile,
  useGet,
  useScreenTexts,
} from '../../public.ts'
import './platform.css'
import { RecipeFileView, recipeText } from './RecipeFile.tsx'
import './recipe.css'
import { recipeTexts } from './recipe-texts.ts'
import { texts } from './texts.ts'

const TONES = { current: 'success', changed: 'warning', invalid: 'danger' } as const
const REFRESH_MS = 15_000

export default function Recipe() {
  const t = useScreenTexts(texts)
  const c = useScreenTexts(recipeTexts)
  const { data, error, isPending, refetch } = useGet('/v1/platform/recipe')
  const file = useGet('/v1/platform/recipe/file', { refreshMs: REFRESH_MS })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (isPending) return <Loading />
  const running = recipeText(data)
  const report = file.data
  return (
    <Page
      title={t.recipe}
      crumbs={areaCrumbs('platform')}
      badge={report && <span className={`badge ${TONES[report.status]}`}>{c[report.status]}</span>}
      actions={
        <>
          <Button icon="refresh-cw" isDisabled={file.isFetching} onPress={() => file.refetch()}>
            {c.checkAgain}
          </Button>
          <Button icon="download" onPress={() => saveFile('recipe.json', running, 'application/json')}>
            {t.download}
          </Button>
        </>
      }
    >
      {file.error && !report && <ErrorState error={file.error} onRetry={file.refetch} />}
      <div aria-live="polite">{report && <RecipeFileView report={report} running={running} />}</div>
      <Section className="recipe-file" title={c.runningTitle}>
        <p className="lead">
          {report && `${fill(c.running, { process: report.process, since: formatDate(report.startedAt) })} `}
          {t.masked}
        </p>
        <CodeBlock text={running} isWhole />
      </Section>
    </Page>
  )
}
