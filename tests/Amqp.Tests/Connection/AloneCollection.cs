using Xunit;

namespace EventHubThroughput.Amqp.Tests.Connection;

/// <summary>Tests that look at what the whole process leaves behind: beside them nothing else runs.</summary>
[CollectionDefinition(DisableParallelization = true)]
public sealed class AloneCollection;
