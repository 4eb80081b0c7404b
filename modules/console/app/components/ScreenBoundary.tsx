import { Component, type ReactNode } from 'react'
import { messageOf } from '../data/problem.ts'
import { translate } from '../locales/index.ts'
import { Button } from './Button.tsx'
import { EmptyState } from './EmptyState.tsx'
import { Page } from './Page.tsx'

interface Props {
  /** Name of the module that the screen belongs to. */
  readonly module: string
  /** Whether it stands inside a page, as a tab does. */
  readonly isPart?: boolean
  readonly children: ReactNode
}
interface State {
  readonly failure?: { readonly error: unknown }
}

/** Shows an error of a screen in its place, with the name of its module. The rest of the console keeps working. */
export class ScreenBoundary extends Component<Props, State> {
  override state: State = {}

  static getDerivedStateFromError(error: unknown): State {
    return { failure: { error } }
  }

  override render(): ReactNode {
    const { failure } = this.state
    if (!failure) return this.props.children
    const message = (
      <div role="alert">
        <EmptyState
          icon="triangle-alert"
          title={translate('screenFailedIn', { module: this.props.module })}
          text={messageOf(failure.error)}
        >
          <Button icon="refresh-cw" onPress={() => location.reload()}>
            {translate('retry')}
          </Button>
        </EmptyState>
      </div>
    )
    return this.props.isPart ? message : <Page title={translate('screenFailed')}>{message}</Page>
  }
}
