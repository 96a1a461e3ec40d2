using EventHubThroughput.Clients.Tests.Families;

namespace EventHubThroughput.Clients.Tests.Emulated;

public sealed class BuiltInAccessProbeTests() : AccessProbeContract(ClientFamily.BuiltIn);
