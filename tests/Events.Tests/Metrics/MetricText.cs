using System.Buffers;
using System.Text;
using EventHubThroughput.Metrics;

namespace EventHubThroughput.Events.Tests.Metrics;

internal static class MetricText
{
    public static string Of(MetricRegistry registry)
    {
        var buffer = new ArrayBufferWriter<byte>();
        registry.WriteText(buffer);
        return Encoding.UTF8.GetString(buffer.WrittenSpan);
    }
}
