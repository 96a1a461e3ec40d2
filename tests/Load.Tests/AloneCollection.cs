using Xunit;

namespace EventHubThroughput.Load.Tests;

/// <summary>Tests that measure the whole process. No other test runs beside them.</summary>
[CollectionDefinition(DisableParallelization = true)]
public sealed class AloneCollection;
