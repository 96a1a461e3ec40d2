using Xunit;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>Tests that keep both cores of a small machine busy for a minute: beside others they would be slow, and so would those.</summary>
[CollectionDefinition(DisableParallelization = true)]
public sealed class AloneCollection;
