import { Link, useNavigate } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { Button } from '../components/Button.tsx'
import { Page } from '../components/Page.tsx'
import { useDocument } from '../data/document.ts'
import { createTitle, type Row } from '../data/resources.ts'
import { useTexts } from '../locales/index.ts'
import { useCollectionTexts } from './collection-texts.ts'
import { areaCrumbs, type GenericProps, newUrl, searchOf } from './generic.ts'
import { CommandRunner, commandOf, type RecordCommand } from './RecordActions.tsx'
import { ResourceList } from './ResourceList.tsx'
import { TrashTabs } from './TrashTabs.tsx'

const ImportDialog = lazy(() => import('./ImportDialog.tsx'))

const NO_ROW: Row = {}

interface Props extends GenericProps {
  /** Shown above the list. */
  readonly children?: ReactNode
  /** More buttons beside the title. */
  readonly actions?: ReactNode
}

export function ListScreen({ resource, search, children, actions: more }: Props) {
  const t = useTexts()
  const navigate = useNavigate()
  const scope = search.with ?? {}
  const [command, setCommand] = useState<RecordCommand>()
  const c = useCollectionTexts()
  const { data: document } = useDocument()
  const [isImporting, setImporting] = useState(false)
  const { list, create } = resource.operations
  // `listCourses` → `importCourses`.
  const importId = list.id.replace(/^list/, 'import')
  const canImport = create !== undefined && document?.collection(list.id) !== undefined && document.has(importId)
  const listActions = resource.actions.filter(({ on }) => on === 'list')
  const asked = listActions.find(({ id }) => id === search.run)
  // The command palette asks for it. It is asked once: the address is that of the list again.
  useEffect(() => {
    if (!asked) return
    setCommand(commandOf(resource, asked))
    navigate({ to: '.', search: ({ run: _, ...rest }) => rest, replace: true })
  }, [asked, resource, navigate])
  const actions = (
    <>
      {listActions.map(action => (
        <Button key={action.id} onPress={() => setCommand(commandOf(resource, action))}>
          {action.title}
        </Button>
      ))}
      {canImport && (
        <Button icon="upload" onPress={() => setImporting(true)}>
          {c.importCsv}
        </Button>
      )}
      {create && (
        <Link className="button primary" to={newUrl(resource)} search={searchOf(scope)}>
          {createTitle(resource, t)}
        </Link>
      )}
      {more}
    </>
  )
  return (
    <Page title={resource.title} crumbs={areaCrumbs(resource.module)} actions={actions}>
      <TrashTabs resource={resource} />
      {children}
      <ResourceList resource={resource} scope={scope} search={search} />
      {isImporting && (
        <Suspense>
          <ImportDialog
            collection={document?.collection(list.id)}
            resource={resource}
            keys={
              document
                ?.queryParameters(importId)
                .find(({ name }) => name === 'by')
                ?.schema.enum?.map(String) ?? []
            }
            onClose={() => setImporting(false)}
          />
        </Suspense>
      )}
      <CommandRunner
        resource={resource}
        scope={scope}
        rows={[NO_ROW]}
        command={command}
        onClose={() => setCommand(undefined)}
      />
    </Page>
  )
}
