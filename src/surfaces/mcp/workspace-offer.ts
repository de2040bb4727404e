import type { Workspace } from '../../workspace/workspace.js'
import type { Offer } from './offer.js'
import { prompts } from './prompts.js'
import { guideResource, resultFileTemplate, resultTemplate, tableTemplate } from './resources.js'
import { sqlTools, type SqlToolsOptions } from './sql-tools.js'

/** All that the workspace offers to MCP clients. */
export function workspaceOffer(workspace: Workspace, options: SqlToolsOptions): Offer {
  const { maxChars } = options
  return {
    tools: sqlTools(workspace, options),
    prompts: prompts(workspace),
    resources: [guideResource],
    templates: [tableTemplate(workspace, maxChars), resultTemplate(workspace, maxChars), resultFileTemplate(workspace)],
  }
}
