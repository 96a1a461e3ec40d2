using System.IO.Pipelines;

namespace EventHubThroughput.Emulator.Endpoints;

/// <summary>Two halves as the transport of a connection.</summary>
internal sealed record DuplexPipe(PipeReader Input, PipeWriter Output) : IDuplexPipe;
