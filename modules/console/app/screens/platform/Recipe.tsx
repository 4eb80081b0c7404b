import { useQuery } from '@tanstack/react-query'
import { Button } from '../../components/Button.tsx'
import { ErrorState, Loading } from '../../components/EmptyState.tsx'
import { Page } from '../../components/Page.tsx'
import { callApi } from '../../data/api.ts'
import { saveFile } from '../../data/download.ts'
import { useStore } from '../../data/store.ts'
import { languageStore } from '../../locales/index.ts'
import { areaTitle } from '../../shell/areas.ts'
import './platform.css'
import { texts } from './texts.ts'

export default function Recipe() {
  const t = texts[useStore(languageStore)]
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['platform', 'recipe'],
    queryFn: async ({ signal }) => (await callApi<unknown>({ path: '/v1/platform/recipe', signal })).body,
  })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (isPending) return <Loading />
  const text = JSON.stringify(data, null, 2)
  return (
    <Page
      title={t.recipe}
      crumbs={[{ title: areaTitle('platform'), href: '/platform' }]}
      actions={
        <Button icon="download" onPress={() => saveFile('recipe.json', text, 'application/json')}>
          {t.download}
        </Button>
      }
    >
      <p className="lead">{t.masked}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls needs the focus for the arrow keys */}
      <pre className="code panel whole" tabIndex={0}>
        {text}
      </pre>
    </Page>
  )
}
