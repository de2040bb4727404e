import { Server } from '@modelcontextprotocol/server'

/**
 * The SDK's server without its registry: McpServer lists all resources in one page, converts every schema anew at each
 * tools/list, and answers wrong arguments in its own words.
 */
// eslint-disable-next-line @typescript-eslint/no-deprecated -- the SDK's name for "advanced use"
export class ProtocolServer extends Server {}
