using System.Globalization;
using EventHubThroughput.Clients;

namespace EventHubThroughput.Lab.Diagnosing;

/// <summary>Checks whether messages can be sent to the queue or topic. None is sent.</summary>
/// <param name="settings">The queue or topic.</param>
/// <param name="probe">Opens the link.</param>
/// <param name="limit">The time of the wait.</param>
internal sealed class QueueCheck(MessagingSettings settings, IAccessProbe probe, CheckLimit limit)
{
    private const string Role = "Azure Service Bus Data Sender";

    public async Task<CheckResult> RunAsync(CancellationToken cancellationToken)
    {
        var kind = settings.Queue is null ? "topic" : "queue";
        var name = settings.MessageEntity!;
        try
        {
            var most = await limit.RunAsync(token => probe.OpenSenderAsync(name, token), cancellationToken);
            var bound = most == long.MaxValue ? "" : string.Create(CultureInfo.InvariantCulture, $", in batches of at most {most:N0} bytes");
            return CheckResult.Ok(kind, $"'{name}' takes messages{bound}");
        }
        catch (MessagingException failure)
        {
            var need = AccessNeed.OfMessaging(
                $"{kind} '{name}'",
                "Send",
                Role,
                settings.GetAddress(ProbedService.ServiceBus).KeyName,
                $"create the {kind}, or correct SERVICEBUS_{kind.ToUpperInvariant()}"
            );
            return need.GetFailure(kind, failure);
        }
    }
}
