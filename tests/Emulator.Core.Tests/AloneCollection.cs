using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests;

/// <summary>Tests that look at the threads and descriptors of the whole process.</summary>
[CollectionDefinition(DisableParallelization = true)]
public sealed class AloneCollection;
