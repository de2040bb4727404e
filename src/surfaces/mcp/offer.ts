import type {
  CallToolResult,
  CompleteResult,
  GetPromptResult,
  InputRequiredResult,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplateType,
  ServerContext,
  ServerOptions,
  Tool,
  WebStandardStreamableHTTPServerTransportOptions,
} from '@modelcontextprotocol/server'
import type { CallContext } from '../../workspace/workspace.js'
import type { ProtocolServer } from './protocol-server.js'

/** What a server offers: plain data and functions, built once and shared by all connections. */
export interface Offer {
  /** In the order in which tools/list names them. */
  readonly tools: readonly ToolEntry[]
  readonly prompts: readonly PromptEntry[]
  readonly resources: readonly ResourceEntry[]
  readonly templates: readonly TemplateEntry[]
  /** Capabilities and hooks beyond those that the entries imply. */
  readonly options?: ServerOptions
  /** How the streams of 2025-era sessions over HTTP can be resumed; without it a broken stream ends its requests. */
  readonly resumable?: Pick<WebStandardStreamableHTTPServerTransportOptions, 'eventStore' | 'retryInterval'>
  /** Called for each new server, before it is connected. */
  readonly setUp?: (server: ProtocolServer) => void
}

/** One request: the protocol's side, and the workspace's side with its signal and progress. */
export interface McpRequest {
  readonly protocol: ServerContext
  readonly call: CallContext
}

export interface ToolEntry {
  readonly definition: Tool
  /** What it throws becomes an `isError` result; a ProtocolError becomes a JSON-RPC error. */
  call(args: unknown, request: McpRequest): Promise<CallToolResult | InputRequiredResult>
}

export interface PromptEntry {
  readonly definition: Prompt
  get(args: Readonly<Record<string, string>>, request: McpRequest): Promise<GetPromptResult | InputRequiredResult>
  /** Values for an argument that begins as given. */
  complete?(argument: string, value: string, request: McpRequest): Promise<Completion>
}

export interface ResourceEntry {
  readonly definition: Resource
  read(request: McpRequest): Promise<ReadResourceResult>
}

export interface TemplateEntry {
  readonly definition: ResourceTemplateType
  /** The template's variables when it matches, else undefined. */
  match(uri: string): Readonly<Record<string, string>> | undefined
  read(uri: string, variables: Readonly<Record<string, string>>, request: McpRequest): Promise<ReadResourceResult>
  /** A page of the resources that exist under the template. */
  list?(cursor: string | undefined, request: McpRequest): Promise<ResourcePage>
  complete?(variable: string, value: string, request: McpRequest): Promise<Completion>
}

export interface ResourcePage {
  readonly resources: readonly Resource[]
  readonly nextCursor?: string
}

/** Values for an argument; at most 100. */
export type Completion = CompleteResult['completion']

/** Adds to the product's own offer. */
export type ExtendOffer = (offer: Offer) => Offer
