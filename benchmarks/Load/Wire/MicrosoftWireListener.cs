using Microsoft.Azure.Amqp;
using Microsoft.Azure.Amqp.Framing;
using Microsoft.Azure.Amqp.Transport;

namespace EventHubThroughput.Load.Wire;

/// <summary>Microsoft.Azure.Amqp.</summary>
internal sealed class MicrosoftWireListener : IWireListener
{
    private readonly AmqpConnectionListener listener;

    public MicrosoftWireListener()
    {
        Port = WireRows.FindFreePort();
        listener = new AmqpConnectionListener($"amqp://127.0.0.1:{Port}", new Acceptor());
        listener.Open();
    }

    public int Port { get; }

    public ValueTask DisposeAsync()
    {
        listener.Close();
        return ValueTask.CompletedTask;
    }

    private sealed class Acceptor : IRuntimeProvider
    {
        // The link that a requester has attached before the one of its requests.
        private SendingAmqpLink? replies;
        private int tags;

        public AmqpConnection CreateConnection(
            TransportBase transport,
            ProtocolHeader protocolHeader,
            bool isInitiator,
            AmqpSettings amqpSettings,
            AmqpConnectionSettings connectionSettings
        )
        {
            connectionSettings.ContainerId = "listener";
            return new AmqpConnection(transport, protocolHeader, isInitiator, amqpSettings, connectionSettings);
        }

        public AmqpSession CreateSession(AmqpConnection connection, AmqpSessionSettings settings) => new(connection, settings, this);

        public AmqpLink CreateLink(AmqpSession session, AmqpLinkSettings settings)
        {
            if (!settings.IsReceiver())
            {
                return replies = new SendingAmqpLink(session, settings);
            }

            settings.TotalLinkCredit = WireRows.Credit;
            settings.AutoSendFlow = true;
            var receiver = new ReceivingAmqpLink(session, settings);
            receiver.RegisterMessageListener(message =>
            {
                receiver.AcceptMessage(message, settled: true, batchable: true);
                message.Dispose();
                replies?.SendMessageNoWait(MicrosoftLinks.CreateEmpty(), MicrosoftLinks.GetTag(Interlocked.Increment(ref tags)), AmqpConstants.NullBinary);
            });
            return receiver;
        }

        public IAsyncResult BeginOpenLink(AmqpLink link, TimeSpan timeout, AsyncCallback callback, object state)
        {
            var opened = new TaskCompletionSource(state);
            opened.SetResult();
            callback(opened.Task);
            return opened.Task;
        }

        public void EndOpenLink(IAsyncResult result)
        {
            // Nothing was begun.
        }
    }
}
