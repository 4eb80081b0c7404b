import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { earlyAnswersArrived } from './browser/early-requests.ts'
import { ApiError } from './data/problem.ts'
import { loadLanguage } from './locales/index.ts'
import { router } from './router.tsx'
import './styles/base.css'
import './styles/shell.css'
import './styles/components.css'
import './styles/table.css'
import './styles/form.css'

const client = new QueryClient({
  defaultOptions: {
    queries: {
      // A problem is an answer; only a missing answer is worth another request.
      retry: (count, error) => !(error instanceof ApiError) && count < 100,
      retryDelay: count => Math.min(1000 * 2 ** count, 5000),
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})

/** A slow answer doesn't hold up the others. */
const MAX_WAIT_MS = 500

// With them, the first render is complete. Each answer that arrives later renders again, and blocks the browser.
await Promise.all([loadLanguage(), router.load(), earlyAnswersArrived(MAX_WAIT_MS)])
const root = createRoot(document.getElementById('root') as HTMLElement)
// A transition renders in short tasks, so that the browser paints and responds meanwhile.
startTransition(() =>
  root.render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  ),
)
